/** A request of an app: its method and params. */
export type Step = [method: string, params?: object];

/** The parts of the official `App` that the steps need, in either of its versions. */
export interface OfficialApp {
  connect(): Promise<void>;
  request(request: object, schema: never): Promise<object>;
  callServerTool(call: { name: string; arguments: object }): Promise<unknown>;
  ontoolinput?: unknown;
  ontoolinputpartial?: unknown;
  ontoolresult?: unknown;
  ontoolcancelled?: unknown;
  onhostcontextchanged?: unknown;
  onteardown?: unknown;
  getHostContext(): unknown;
  getHostCapabilities(): unknown;
}

/**
 * Runs what the arguments of the call say, one request after the other, and reports what came of each by
 * the tool `report`: the answer, or the code of the error. Reports each event of the host, too.
 */
export async function runSteps(app: OfficialApp, anyAnswer: unknown): Promise<void> {
  const report = (what: object): Promise<unknown> =>
    app.callServerTool({ name: 'report', arguments: JSON.parse(JSON.stringify(what)) as object });
  app.ontoolinput = async ({ arguments: args }: { arguments?: { steps?: Step[] } }) => {
    await report({ event: 'input', params: args });
    for (const [method, params = {}] of args?.steps ?? []) {
      const answer = await app.request({ method, params }, anyAnswer as never).then(
        (result) => ({ result }),
        (error: { code?: unknown; message: string }) => ({
          code: error.code,
          message: error.message,
        }),
      );
      await report({ method, ...answer });
    }
  };
  app.ontoolinputpartial = (params: object) => void report({ event: 'partial', params });
  app.ontoolresult = (params: object) => void report({ event: 'result', params });
  app.ontoolcancelled = (params: object) => void report({ event: 'cancelled', params });
  app.onhostcontextchanged = (params: object) => void report({ event: 'context', params });
  app.onteardown = async () => {
    await report({ event: 'teardown' });
    return {};
  };
  await app.connect();
  await report({
    event: 'connected',
    context: app.getHostContext(),
    capabilities: app.getHostCapabilities(),
  });
}
