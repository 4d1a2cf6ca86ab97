import '@inpage-mcp/elements/define/mcp-app';
import type {} from '@inpage-mcp/elements/react'; // the types of the elements in JSX
import { use } from 'react';
import { connect } from './server';

const connecting = connect();

export function App() {
  return <mcp-app client={use(connecting)} tool="roll_dice" call />;
}
