// The classes, none of them defined: for other tag names, subclasses and scoped registries.
export { McpActivity } from './mcp-activity/mcp-activity.js';
export { McpConnection } from './mcp-connection/mcp-connection.js';
export { McpConsent } from './mcp-consent/mcp-consent.js';
export { McpFileDrop } from './mcp-file-drop/mcp-file-drop.js';
export { McpNoteEditor } from './mcp-note-editor/mcp-note-editor.js';
export { McpPromptMenu } from './mcp-prompt-menu/mcp-prompt-menu.js';
export { McpProvider } from './mcp-provider/mcp-provider.js';
export { McpResourceList } from './mcp-resource-list/mcp-resource-list.js';
export { McpResourcePicker } from './mcp-resource-picker/mcp-resource-picker.js';
export { McpResourceView } from './mcp-resource-view/mcp-resource-view.js';
export { McpTemplateForm } from './mcp-template-form/mcp-template-form.js';
export { McpToolForm } from './mcp-tool-form/mcp-tool-form.js';
export { McpWire } from './mcp-wire/mcp-wire.js';

// Their events.
export { McpRevokeEvent } from './mcp-activity/events.js';
export { McpReconnectEvent } from './mcp-connection/events.js';
export { McpConsentAnswerEvent } from './mcp-consent/events.js';
export { McpFilesAddEvent, McpFilesSaveEvent } from './mcp-file-drop/events.js';
export { McpNoteLostEvent, McpNoteSaveEvent } from './mcp-note-editor/events.js';
export { McpPromptSubmitEvent } from './mcp-prompt-menu/events.js';
export {
  McpResourceActivateEvent,
  McpResourceSelectEvent,
} from './mcp-resource-list/cursor/events.js';
export { McpResourceUpdateEvent } from './mcp-resource-list/updates/update-event.js';
export { McpResourcePickEvent } from './mcp-resource-picker/events.js';
export { McpResourceBackEvent } from './mcp-resource-view/trail/back-event.js';
export { McpResourceChangeEvent } from './mcp-resource-view/changes/change-event.js';
export { McpResourceLoadEvent } from './mcp-resource-view/events.js';
export { McpResourceLinkEvent } from './mcp-resource-view/link-event.js';
export { McpTemplateSubmitEvent } from './mcp-template-form/events.js';
export {
  McpToolCallEvent,
  McpToolResourceEvent,
  McpToolResultEvent,
} from './mcp-tool-form/events.js';
export { McpWireReplayEvent } from './mcp-wire/events.js';

// What their users need.
export { clientContext } from './element/client-context.js';
export { foldText } from './text/fold-text.js';
export { truncateText } from './text/truncate-text.js';

// The types of their properties, methods and events.
export type { DescribeClient } from './mcp-activity/render-group.js';
export type { Confirm, Elicit, ElicitAsker } from './mcp-consent/adapters.js';
export type {
  ConsentAnswer,
  ConsentDecision,
  ConsentQuestion,
  ConsentStore,
  ConsentTexts,
  LastingDecision,
} from './mcp-consent/question.js';
export type {
  ConflictChoice,
  FileTarget,
  FileTargetOptions,
  FileToSave,
} from './mcp-file-drop/file-target.js';
export type { FailedFile } from './mcp-file-drop/upload-batch.js';
export type {
  NoteStorage,
  NoteWords,
  NoteWriteOptions,
  StoredNote,
} from './mcp-note-editor/note-storage.js';
export type { ViewMode } from './mcp-resource-view/content/content-kind.js';
export type { TypedValues } from './mcp-template-form/template-fields.js';
export type { ToolArguments } from './mcp-tool-form/events.js';
export type { TextField } from './fields/options/typed-trigger.js';
export type { WireEntry } from './mcp-wire/wire-entry.js';
export type { WireRecorder } from './mcp-wire/wire-recorder.js';
