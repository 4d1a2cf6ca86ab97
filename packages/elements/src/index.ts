// Importing this module defines every element.
import './define/mcp-activity.js';
import './define/mcp-connection.js';
import './define/mcp-consent.js';
import './define/mcp-file-drop.js';
import './define/mcp-note-editor.js';
import './define/mcp-prompt-menu.js';
import './define/mcp-provider.js';
import './define/mcp-resource-list.js';
import './define/mcp-resource-picker.js';
import './define/mcp-resource-view.js';
import './define/mcp-template-form.js';
import './define/mcp-tool-form.js';
import './define/mcp-wire.js';

export {
  clientContext,
  McpActivity,
  McpConnection,
  McpConsent,
  McpConsentAnswerEvent,
  McpFileDrop,
  McpFilesAddEvent,
  McpFilesSaveEvent,
  McpNoteEditor,
  McpNoteLostEvent,
  McpNoteSaveEvent,
  McpPromptMenu,
  McpPromptSubmitEvent,
  McpProvider,
  McpReconnectEvent,
  McpResourceActivateEvent,
  McpResourceBackEvent,
  McpResourceChangeEvent,
  McpResourceLinkEvent,
  McpResourceList,
  McpResourceLoadEvent,
  McpResourcePicker,
  McpResourcePickEvent,
  McpResourceSelectEvent,
  McpResourceUpdateEvent,
  McpResourceView,
  McpRevokeEvent,
  McpTemplateForm,
  McpTemplateSubmitEvent,
  McpToolCallEvent,
  McpToolForm,
  McpToolResourceEvent,
  McpToolResultEvent,
  McpWire,
  foldText,
  forgetDrafts,
  restoreDrafts,
  truncateText,
} from './classes.js';

export type {
  Confirm,
  ConflictChoice,
  ConsentAnswer,
  ConsentDecision,
  ConsentQuestion,
  ConsentStore,
  ConsentTexts,
  DescribeClient,
  Elicit,
  ElicitAsker,
  FailedFile,
  FileTarget,
  FileTargetOptions,
  FileToSave,
  LastingDecision,
  NoteStorage,
  NoteWords,
  NoteWriteOptions,
  StoredNote,
  TextField,
  ToolArguments,
  TypedValues,
  ViewMode,
  WireEntry,
  WireRecorder,
} from './classes.js';
