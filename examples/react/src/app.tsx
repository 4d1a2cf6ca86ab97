import '@inpage-mcp/elements';
import type {} from '@inpage-mcp/elements/react'; // the types of the elements in JSX
import type { McpClient } from '@inpage-mcp/runtime';
import { useEffect, useState } from 'react';
import { connectOnce } from './mcp';

export function App() {
  const [client, setClient] = useState<McpClient>();
  const [uri, setUri] = useState<string>();
  const [error, setError] = useState<Error>();

  useEffect(() => {
    connectOnce().then(setClient, setError);
  }, []);

  if (error) return <p role="alert">{error.message}</p>;
  return (
    <mcp-provider client={client}>
      <div className="notes">
        <mcp-resource-list
          label="Notes"
          selected={uri}
          onmcp-resource-select={({ resource }) => setUri(resource.uri)}
        />
        <mcp-resource-view uri={uri} />
      </div>
    </mcp-provider>
  );
}
