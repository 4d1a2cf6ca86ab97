// The same notes and files on every device: the sync of one, and what an adapter of a server implements.
export {
  MAX_NAME_LENGTH,
  MAX_RECORD_BYTES,
  RemoteError,
  type Remote,
  type RemoteChange,
  type RemoteErrorCode,
  type RemotePiece,
  type RemotePieces,
  type RemoteRecord,
  type RemoteState,
  type UnwantedPiece,
} from './remotes/remote.js';
export {
  COMMAND_TIMEOUT_MS,
  openSync,
  type JoinOptions,
  type SyncService,
  type SyncServiceParts,
  type SyncStatus,
} from './service/sync-service.js';
export type { LoopState } from './engine/sync-loop.js';
export { MAX_CONFLICTS, MAX_DEVICES, type Conflict, type Device } from './engine/sync-state.js';
export { VaultError, type VaultErrorCode } from './keys/key-ring.js';
export { MAX_PASSPHRASE_LENGTH, MIN_PASSPHRASE_LENGTH } from './keys/vault.js';
