/** An HTTP response with a JSON-RPC error of the bridge itself. */
export const refusal = (
  status: number,
  code: number,
  message: string,
  { id = null, data }: { id?: string | number | null; data?: unknown } = {},
): Response =>
  Response.json(
    { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } },
    { status },
  );
