// The classes, without defining any of them: for other tag names, subclasses and scoped registries.
export { McpActivity } from './watch/mcp-activity/mcp-activity.js';
export { McpApp } from './act/mcp-app/mcp-app.js';
export { McpConnection } from './watch/mcp-connection/mcp-connection.js';
export { McpConsent } from './act/mcp-consent/mcp-consent.js';
export { McpFileDrop } from './act/mcp-file-drop/mcp-file-drop.js';
export { McpNoteEditor } from './act/mcp-note-editor/mcp-note-editor.js';
export { McpPromptMenu } from './choose/mcp-prompt-menu/mcp-prompt-menu.js';
export { McpProvider } from './provide/mcp-provider/mcp-provider.js';
export { McpResourceList } from './show/mcp-resource-list/mcp-resource-list.js';
export { McpResourcePicker } from './choose/mcp-resource-picker/mcp-resource-picker.js';
export { McpResourceView } from './show/mcp-resource-view/mcp-resource-view.js';
export { McpStorage } from './act/mcp-storage/mcp-storage.js';
export { McpSync } from './watch/mcp-sync/mcp-sync.js';
export { McpTemplateForm } from './choose/mcp-template-form/mcp-template-form.js';
export { McpToolForm } from './act/mcp-tool-form/mcp-tool-form.js';
export { McpWire } from './watch/mcp-wire/mcp-wire.js';

// Their events.
export { McpRevertEvent, McpRevokeEvent } from './watch/mcp-activity/asked-of-page.js';
export {
  McpAppCloseEvent,
  McpAppDownloadEvent,
  McpAppErrorEvent,
  McpAppLinkEvent,
  McpAppLogEvent,
  McpAppReadyEvent,
} from './act/mcp-app/events.js';
export { McpReconnectEvent } from './watch/mcp-connection/events.js';
export { McpConsentAnswerEvent } from './act/mcp-consent/question.js';
export { McpFilesAddEvent, McpFilesSaveEvent } from './act/mcp-file-drop/upload-batch.js';
export { McpNoteLostEvent, McpNoteSaveEvent } from './act/mcp-note-editor/events.js';
export { McpStorageDoneEvent, McpStorageQuestionEvent } from './act/mcp-storage/events.js';
export { McpPromptSubmitEvent } from './choose/mcp-prompt-menu/events.js';
export {
  McpResourceActivateEvent,
  McpResourceSelectEvent,
} from './show/mcp-resource-list/rows/events.js';
export { McpResourceUpdateEvent } from './show/mcp-resource-list/update-marks.js';
export { McpFolderAllowEvent } from './reading/folders.js';
export { McpResourcePickEvent } from './choose/mcp-resource-picker/events.js';
export {
  McpResourceBackEvent,
  McpResourceChangeEvent,
  McpResourceLinkEvent,
  McpResourceLoadEvent,
} from './show/mcp-resource-view/content/events.js';

export { McpTemplateSubmitEvent } from './choose/mcp-template-form/events.js';
export {
  McpToolCallEvent,
  McpToolResourceEvent,
  McpToolResultEvent,
} from './act/mcp-tool-form/events.js';

// The functions that users of the classes need.
export { forgetDrafts, restoreDrafts } from './act/mcp-note-editor/kept-drafts.js';
export { clientContext } from './base/element/client-context.js';
export { foldText } from '@inpage-mcp/encoding';
export { theme } from './base/look/theme.js';
export { truncateText } from './base/text/truncate-text.js';

// The types of their properties, methods and events.
export type { AppProblem } from './act/mcp-app/events.js';
export type { AppDisplayMode } from './act/mcp-app/display-mode.js';
export type { KeptApp } from './act/mcp-app/running-app.js';
export type { DescribeClient } from './watch/mcp-activity/clients.js';
export type { Confirm, Elicit, ElicitAsker } from './act/mcp-consent/question.js';
export type {
  ConsentAnswer,
  ConsentDecision,
  ConsentDocuments,
  ConsentQuestion,
  ConsentStore,
  ConsentTexts,
  LastingDecision,
  NoteBefore,
} from './act/mcp-consent/question.js';
export type {
  ConflictChoice,
  FileTarget,
  FileTargetOptions,
  FileToSave,
} from './act/mcp-file-drop/file-target.js';
export type { FailedFile } from './act/mcp-file-drop/upload-batch.js';
export type {
  NoteStorage,
  NoteWords,
  NoteWriteOptions,
  StoredNote,
} from './act/mcp-note-editor/note-storage.js';
export type {
  DataEstimate,
  DataImport,
  DataStorage,
  DataTaskOptions,
  ExportProtection,
  ImportedCounts,
} from './act/mcp-storage/data-storage.js';
export type { StorageAction } from './act/mcp-storage/events.js';
export type {
  DeviceSync,
  DeviceSyncStatus,
  SyncConflict,
  SyncedDevice,
} from './watch/mcp-sync/device-sync.js';
export type { ViewMode } from './show/mcp-resource-view/content/kinds.js';
export type { TypedValues } from './fields/options/completed-fields.js';
export type { ToolArguments } from './act/mcp-tool-form/events.js';
export type { TextField } from './fields/options/typed-trigger.js';
export type { WireEntry } from './watch/mcp-wire/wire-entry.js';
export type { WireRecorder } from './watch/mcp-wire/wire-recorder.js';
