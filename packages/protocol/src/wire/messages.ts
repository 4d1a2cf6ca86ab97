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

/** Whether a message cancels a request. */
export function isCancellation(message: JsonRpcMessage): message is JsonRpcNotification {
  return 'method' in message && message.method === NOTIFICATIONS.cancelled && !isRequest(message);
}

/** The id of the cancelled request. */
export function cancelledId({ params }: JsonRpcNotification): RequestId {
  return params?.['requestId'] as RequestId;
}
