import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.drop.hint': 'ここにファイルをドロップするか、貼り付けてください。',
  'mcp.drop.choose': 'ファイルを選択',
  'mcp.drop.choose-folder': 'フォルダーを選択',
  'mcp.drop.saved-one': str`保存しました: ${0}`,
  'mcp.drop.saved': str`保存したファイル: ${0}`,
  'mcp.drop.skipped': str`スキップ: ${0}`,
  'mcp.drop.failed': str`失敗: ${0}`,
  'mcp.drop.cancelled': str`キャンセル: ${0}`,
  'mcp.drop.cancel': 'キャンセル',
  'mcp.drop.saving': 'ファイルを保存しています',
  'mcp.drop.progress': str`保存しています: ${0} / ${1}`,
  'mcp.drop.conflict': str`すでに存在するファイル: ${0}`,
  'mcp.drop.keep-both': '両方を残す',
  'mcp.drop.replace': '置き換える',
  'mcp.drop.skip': 'スキップ',
  'mcp.drop.dismiss': '閉じる',
  'mcp.drop.not-shown': str`表示していないもの: ${0}`,
  'mcp.drop.unsupported': 'このサーバーはファイルを受け取りません。',
  'mcp.drop.closed': '接続が終了しました。これ以上ファイルを追加できません。',
};
