import { msg } from '@lit/localize';
import { downloadIcon, uploadIcon } from '../../base/look/icons.js';
import type { StorageAction } from './events.js';
import { shieldIcon, trashIcon } from './icons.js';

/** The texts in the row of an action. */
export interface RowText {
  action: StorageAction;
  icon: string;
  title: string;
  text: string;
  /** The text of its button. Default: nothing is left to do. */
  button?: string;
}

/** @param isDone Whether the browser has promised it. */
export function persistRow(isDone: boolean): RowText {
  const row = { action: 'persist', icon: shieldIcon } as const;
  if (isDone)
    return {
      ...row,
      title: msg('Protected', { id: 'mcp.storage.protected' }),
      text: msg('The browser has promised not to delete it by itself.', {
        id: 'mcp.storage.protected-words',
      }),
    };
  return {
    ...row,
    title: msg('Protect from clean-up', { id: 'mcp.storage.persist' }),
    text: msg(
      'Ask the browser not to delete it when room is short, or when you have not been here for long.',
      {
        id: 'mcp.storage.persist-words',
      },
    ),
    button: msg('Protect', { id: 'mcp.storage.persist-button' }),
  };
}

export const exportRow = (): RowText => ({
  action: 'export',
  icon: downloadIcon,
  title: msg('Export', { id: 'mcp.storage.export' }),
  text: msg('Everything in one zip: notes as Markdown, files as they are.', {
    id: 'mcp.storage.export-words',
  }),
  button: msg('Export', { id: 'mcp.storage.export' }),
});

export const importRow = (): RowText => ({
  action: 'import',
  icon: uploadIcon,
  title: msg('Import', { id: 'mcp.storage.import' }),
  text: msg('Bring an export back. What you have stays; what is newer wins.', {
    id: 'mcp.storage.import-words',
  }),
  button: msg('Import', { id: 'mcp.storage.import' }),
});

export const clearRow = (): RowText => ({
  action: 'clear',
  icon: trashIcon,
  title: msg('Delete everything', { id: 'mcp.storage.clear' }),
  text: msg('All notes and files, in every tab of this browser.', {
    id: 'mcp.storage.clear-words',
  }),
  button: msg('Delete …', { id: 'mcp.storage.clear-button' }),
});
