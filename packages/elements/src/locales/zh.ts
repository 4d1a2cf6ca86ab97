// Simplified Chinese.
import { texts as activity } from './zh/activity.js';
import { texts as connection } from './zh/connection.js';
import { texts as consent } from './zh/consent.js';
import { texts as fileDrop } from './zh/file-drop.js';
import { texts as noteEditor } from './zh/note-editor.js';
import { texts as promptMenu } from './zh/prompt-menu.js';
import { texts as renderers } from './zh/renderers.js';
import { texts as resourceList } from './zh/resource-list.js';
import { texts as resourcePicker } from './zh/resource-picker.js';
import { texts as resourceView } from './zh/resource-view.js';
import { texts as shared } from './zh/shared.js';
import { texts as templateForm } from './zh/template-form.js';
import { texts as toolForm } from './zh/tool-form.js';
import { texts as wire } from './zh/wire.js';
import type { Texts } from './texts.js';

/** The texts of all elements in Simplified Chinese, for `@lit/localize`. */
export const templates: Texts = {
  ...shared,
  ...resourceList,
  ...resourceView,
  ...renderers,
  ...resourcePicker,
  ...templateForm,
  ...promptMenu,
  ...toolForm,
  ...consent,
  ...activity,
  ...connection,
  ...wire,
  ...fileDrop,
  ...noteEditor,
};
