import { expect } from '@esm-bundle/chai';
import type * as Client from '@inpage-mcp/client';
import { connectClient } from '@inpage-mcp/client';
import type * as Protocol from '@inpage-mcp/protocol';
import { McpServer } from '@inpage-mcp/protocol';
import type * as Runtime from '@inpage-mcp/runtime';
import type * as Server from '@inpage-mcp/server';
import type * as Store from '@inpage-mcp/store';
import type * as Transport from '@inpage-mcp/transport';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { useLinkedClient } from '../support/linked-server.js';

// A compile-time test: with `exactOptionalPropertyTypes`, `{ tags: undefined }` compiles too.

/** The optional members that may be absent, but not `undefined`. */
type Exact<Options> = {
  [
    Name in keyof Options as {} extends Pick<Options, Name>
      ? { [name in Name]: undefined } extends Pick<Options, Name>
        ? never
        : Name
      : never
  ]: true;
};

/** The options of a method: its last parameter. */
type OptionsOf<Method> = Method extends (...args: infer Args) => unknown
  ? Required<Args> extends [...unknown[], infer Options]
    ? Options
    : never
  : never;

/** Compiles if every optional member may be `undefined`. */
type Permits<Options> = keyof Exact<Options> extends never ? true : keyof Exact<Options>;
type All<Checks extends true[]> = Checks;

export type OptionsOfTheClient = All<
  [
    Permits<Client.ConnectOptions>,
    Permits<Client.RequestOptions>,
    Permits<Client.PageOptions>,
    Permits<Client.CallOptions>,
    Permits<Client.CompleteOptions>,
    Permits<Client.ReadOptions>,
    Permits<Client.WatchOptions>,
    Permits<Client.ClientTransport>,
    Permits<Client.Implementation>,
    Permits<Client.ElicitResult>,
  ]
>;

export type OptionsOfTheProtocol = All<
  [
    Permits<Protocol.McpServerOptions>,
    Permits<NonNullable<Protocol.McpServerOptions['resourceCapabilities']>>,
    Permits<Protocol.ServeOptions>,
    Permits<Protocol.ToolDefinition<{ type: 'object' }, { type: 'object' }>>,
    Permits<Protocol.ToolAnswer>,
    Permits<Protocol.ToolAnnotations>,
    Permits<Protocol.PromptDefinition<{}>>,
    Permits<Protocol.PromptArgument>,
    Permits<Protocol.GetPromptResult>,
    Permits<Protocol.Resources>,
    Permits<Protocol.ResourcePage>,
    Permits<Protocol.Resource>,
    Permits<Protocol.ResourceTemplate>,
    Permits<Protocol.InputRequiredOptions>,
    Permits<Protocol.RequestStateCodecOptions>,
    Permits<Protocol.ElicitFormParams>,
    Permits<Protocol.ChangedLimits>,
  ]
>;

export type OptionsOfTheServer = All<
  [
    Permits<Server.ServerOptions>,
    Permits<Server.ResourceCapabilities>,
    Permits<Server.ResourceProvider>,
    Permits<Server.ResourcePage>,
    Permits<Server.ServedPortOptions>,
    Permits<Server.Access>,
  ]
>;

export type OptionsOfTheRuntime = All<
  [
    Permits<Runtime.RuntimeOptions>,
    Permits<Runtime.RuntimeLimits>,
    Permits<NonNullable<Runtime.RuntimeLimits['guest']>>,
    Permits<Runtime.RuntimeConnectOptions>,
    Permits<Runtime.PortOptions>,
    Permits<Runtime.ServeFramesOptions>,
    Permits<OptionsOf<Runtime.RuntimeNotes['list']>>,
    Permits<OptionsOf<Runtime.RuntimeFiles['list']>>,
    Permits<Runtime.TaskOptions>,
    Permits<Runtime.PersistOptions>,
    Permits<Runtime.ProvidedResource>,
    Permits<NonNullable<Runtime.ProvidedDescription['annotations']>>,
  ]
>;

export type OptionsOfTheStore = All<
  [
    Permits<Store.StoreOptions>,
    Permits<Store.StoreScope>,
    Permits<Store.NewNote>,
    Permits<Store.NoteUpdate>,
    Permits<Store.AnnotationsUpdate>,
    Permits<Store.CreateAllOptions>,
    Permits<Store.NoteSearchOptions>,
    Permits<Store.WriteOptions>,
    Permits<Store.UpdateOptions>,
    Permits<Store.FileWriteOptions>,
    Permits<Store.FileUpdate>,
    Permits<Store.FileMoveOptions>,
    Permits<Store.FileSearchOptions>,
    Permits<Store.FileRestoreOptions>,
    Permits<Store.VerifyOptions>,
    Permits<Store.ArchiveOptions>,
    Permits<OptionsOf<Store.NoteStore['list']>>,
    Permits<OptionsOf<Store.NoteStore['summaries']>>,
    Permits<OptionsOf<Store.NoteStore['names']>>,
    Permits<OptionsOf<Store.FileStore['list']>>,
    Permits<OptionsOf<Store.FileStore['names']>>,
    Permits<OptionsOf<Store.FileStore['count']>>,
  ]
>;

export type OptionsOfTheTransport = All<
  [
    Permits<Transport.AcceptFramesOptions>,
    Permits<Transport.AcceptMcpBFramesOptions>,
    Permits<Transport.ConnectToParentOptions>,
    Permits<Transport.ConnectToFrameOptions>,
  ]
>;

describe('a member that is undefined counts as absent', () => {
  const setup = useLinkedClient();

  it('in the content of a note', async () => {
    const { notes } = setup.linked.server.store;
    const note = await notes.create({
      title: 'a',
      text: 'b',
      tags: undefined,
      priority: undefined,
    });
    expect(note).not.to.have.any.keys('audience', 'priority');
    await notes.update(note.id, { text: 'c', tags: ['d'], title: undefined });
    const changed = await notes.update(note.id, { text: 'e', tags: undefined });
    expect(changed).to.deep.include({ title: 'a', tags: ['d'] });
  });

  it('in the limits of a holder', () => {
    const { server } = setup.linked;
    expect(() => {
      server.setLimits({ guest: { messageBytes: undefined }, page: undefined });
    }).not.to.throw();
  });

  it('in the capabilities of a server', async () => {
    const { port1, port2 } = new MessageChannel();
    const server = new McpServer(
      { name: 'alone', version: '1' },
      {
        resources: { list: () => ({ resources: [] }), read: () => [] },
        resourceCapabilities: { subscribe: undefined, listChanged: false },
      },
    );
    server.serve(port2);
    const client = await connectClient(new MessagePortTransport(port1));
    const { resources } = client.serverCapabilities;
    expect(resources).to.deep.equal({ subscribe: true, listChanged: false });
    await client.close();
    server.close();
  });
});
