import '@inpage-mcp/elements';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { connect } from '../../connect.js';

function App() {
  const [client, setClient] = useState();
  const [uri, setUri] = useState();
  useEffect(() => {
    void connect().then(setClient);
  }, []);
  return (
    <mcp-provider client={client}>
      <mcp-resource-list
        label="Notes"
        onmcp-resource-select={({ resource }) => setUri(resource.uri)}
      />
      <mcp-resource-view uri={uri} />
    </mcp-provider>
  );
}

render(<App />, document.querySelector('#root'));
