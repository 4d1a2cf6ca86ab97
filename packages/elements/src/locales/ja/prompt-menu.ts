import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.prompt-menu.label': 'プロンプト',
  'mcp.prompt-menu.empty': 'サーバーにはプロンプトがありません。',
  'mcp.prompt-menu.back': 'ほかのプロンプト',
  'mcp.prompt-menu.use': 'プロンプトを使う',
  'mcp.prompt-menu.show': 'プレビュー',
  'mcp.prompt-menu.preview': 'モデルに渡される内容',
  'mcp.prompt-menu.messages': str`モデルに渡される内容。メッセージ: ${0}`,
  'mcp.prompt-menu.hidden': str`表示していないメッセージ: ${0}`,
  'mcp.prompt-menu.unusable': str`表示できないメッセージ: ${0}`,
  'mcp.prompt-menu.user': 'ユーザー',
  'mcp.prompt-menu.assistant': 'アシスタント',
  'mcp.prompt-menu.more': 'さらに表示',
  'mcp.prompt-menu.broken': 'この画像は表示できません。',
  'mcp.prompt-menu.image': '画像',
};
