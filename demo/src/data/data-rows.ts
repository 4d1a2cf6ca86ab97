import type { TemplateResult } from 'lit';
import type { ActionRow } from './action-row.js';
import type { DataAction } from './action-runner.js';

/** What the rows of “Your data” are made of. */
export interface DataRows {
  /** Whether the browser keeps the data already. */
  persisted: boolean;
  buttons: { [action in DataAction]: TemplateResult };
  exportForm: TemplateResult;
  /** Absent while nothing waits for its passphrase. */
  importForm: TemplateResult | undefined;
}

/** What can be done with all of the data, in words. */
export function dataRows(rows: DataRows): readonly ActionRow[] {
  const { persisted, buttons, exportForm, importForm } = rows;
  return [
    {
      action: 'keep',
      symbol: 'shield',
      title: persisted ? 'Kept' : 'Keep it',
      text: persisted
        ? 'The browser has promised not to delete it by itself.'
        : 'Ask the browser not to delete it when room is short.',
      ...(!persisted && { button: buttons.keep }),
    },
    {
      action: 'export',
      symbol: 'download',
      title: 'Export',
      text: 'Everything in one zip: notes as Markdown, files as they are.',
      button: buttons.export,
      form: exportForm,
    },
    {
      action: 'import',
      symbol: 'upload',
      title: 'Import',
      text: 'Bring an export back. What you have stays; what is newer wins.',
      button: buttons.import,
      ...(importForm && { form: importForm }),
    },
    {
      action: 'samples',
      symbol: 'edit',
      title: 'Sample notes',
      text: 'The notes of the first visit, those that are not there any more.',
      button: buttons.samples,
    },
    {
      action: 'delete',
      symbol: 'remove',
      title: 'Delete everything',
      text: 'All notes and files, in every tab of this browser.',
      button: buttons.delete,
    },
  ];
}
