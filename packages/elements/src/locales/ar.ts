// Arabic.
import { texts as activity } from './ar/activity.js';
import { texts as connection } from './ar/connection.js';
import { texts as consent } from './ar/consent.js';
import { texts as fileDrop } from './ar/file-drop.js';
import { texts as noteEditor } from './ar/note-editor.js';
import { texts as promptMenu } from './ar/prompt-menu.js';
import { texts as renderers } from './ar/renderers.js';
import { texts as resourceList } from './ar/resource-list.js';
import { texts as resourcePicker } from './ar/resource-picker.js';
import { texts as resourceView } from './ar/resource-view.js';
import { texts as shared } from './ar/shared.js';
import { texts as templateForm } from './ar/template-form.js';
import { texts as toolForm } from './ar/tool-form.js';
import { texts as wire } from './ar/wire.js';
import type { Texts } from './texts.js';

/** The texts of all elements in Arabic, for `@lit/localize`. */
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
