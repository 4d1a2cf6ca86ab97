import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.editor.choose': '編集するノートを選んでください。',
  'mcp.editor.title': 'タイトル',
  'mcp.editor.text': '本文（Markdown）',
  'mcp.editor.hint': 'Markdown で書いてください',
  'mcp.editor.mine': 'あなたの版',
  'mcp.editor.theirs': '相手の版',
  'mcp.editor.saving': '保存しています',
  'mcp.editor.unsaved': 'まだ保存されていません',
  'mcp.editor.saved': '保存済み',
  'mcp.editor.conflict': '入力中に、ほかの人がこのノートを変更しました。',
  'mcp.editor.keep-both': '両方を残す',
  'mcp.editor.keep-mine': '自分の版を残す',
  'mcp.editor.take-theirs': '相手の版にする',
  'mcp.editor.deleted':
    '入力中に、このノートは削除されました。入力した内容はここにしかありません。',
  'mcp.editor.save-new': '新しいノートとして保存',
  'mcp.editor.failed': '入力した内容を保存できませんでした。',
  'mcp.editor.my-version': str`${0}（自分の版）`,
  'mcp.editor.costly':
    'この本文をテキスト欄に表示するには時間がかかります。表示されるまで、ページが反応しないことがあります。',
  'mcp.editor.edit-anyway': 'それでも編集',
  'mcp.editor.unsupported': 'このサーバーには、編集できるノートがありません。',
  'mcp.editor.readonly': 'このノートの変更は、サーバーで許可されていません。',
};
