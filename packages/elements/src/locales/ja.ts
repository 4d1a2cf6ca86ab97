// Japanese.
import { texts as activity } from './ja/activity.js';
import { texts as connection } from './ja/connection.js';
import { texts as consent } from './ja/consent.js';
import { texts as fileDrop } from './ja/file-drop.js';
import { texts as noteEditor } from './ja/note-editor.js';
import { texts as promptMenu } from './ja/prompt-menu.js';
import { texts as renderers } from './ja/renderers.js';
import { texts as resourceList } from './ja/resource-list.js';
import { texts as resourcePicker } from './ja/resource-picker.js';
import { texts as resourceView } from './ja/resource-view.js';
import { texts as shared } from './ja/shared.js';
import { texts as templateForm } from './ja/template-form.js';
import { texts as toolForm } from './ja/tool-form.js';
import { texts as wire } from './ja/wire.js';
import type { Texts } from './texts.js';

/** The texts of all elements in Japanese, for `@lit/localize`. */
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
