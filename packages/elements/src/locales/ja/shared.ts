import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.retry': 'もう一度試す',
  'mcp.details': '詳細',
  'mcp.loading': '読み込み中',
  'mcp.unknown-error': '問題が発生しました。',
  'mcp.not-connected': 'サーバーに接続していません。',
  'mcp.reconnecting': '再接続しています。表示内容は最新でない可能性があります。',
  'mcp.closed': '接続が終了しました。表示内容はもう更新されません。',
  'mcp.author.tab': '別のタブ',
  'mcp.author.frame': 'フレーム',
  'mcp.author.tool': 'ツール',
};
