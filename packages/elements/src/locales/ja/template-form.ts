import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.template-form.search': '検索',
  'mcp.template-form.no-match': '一致するものがありません。',
  'mcp.template-form.matches': str`一致: ${0}`,
  'mcp.template-form.required': '必須',
  'mcp.template-form.suggestions': '候補',
  'mcp.template-form.more': 'ほかにも値があります。続けて入力すると絞り込めます。',
  'mcp.template-form.list': '1 行に 1 つの値',
  'mcp.template-form.empty': 'サーバーにはリソーステンプレートがありません。',
  'mcp.template-form.templates': 'リソーステンプレート',
  'mcp.template-form.needed': '値を入力してください。',
  'mcp.template-form.address': 'アドレス',
  'mcp.template-form.open': '開く',
  'mcp.template-form.back': 'ほかのテンプレート',
  'mcp.template-form.cut': 'サーバーには、この一覧に表示できる数を超える項目があります。',
};
