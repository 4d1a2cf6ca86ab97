import '@inpage-mcp/elements';
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';
import { connect } from '../../connect.js';

function App() {
  const [client, setClient] = createSignal();
  const [uri, setUri] = createSignal();
  void connect().then((connected) => setClient(() => connected));
  return (
    <mcp-provider prop:client={client()}>
      <mcp-resource-list
        label="Notes"
        on:mcp-resource-select={({ resource }) => setUri(resource.uri)}
      />
      <mcp-resource-view prop:uri={uri()} />
    </mcp-provider>
  );
}

render(() => <App />, document.querySelector('#root'));
