import type {
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  RequestId,
} from '@inpage-mcp/transport';
import { NOTIFICATIONS } from './keys.js';

/** Whether a message is a request, which has to be answered. */
export function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message && message.id !== undefined;
}

/** Whether a message takes a request back. */
export function isCancellation(message: JsonRpcMessage): message is JsonRpcNotification {
  return 'method' in message && message.method === NOTIFICATIONS.cancelled && !isRequest(message);
}

/** The id of the request that is taken back. */
export function cancelledBy({ params }: JsonRpcNotification): RequestId {
  return params?.['requestId'] as RequestId;
}
