import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.resource-picker.label': 'モデルに渡すリソース',
  'mcp.resource-picker.add': 'リソースを追加…',
  'mcp.resource-picker.suggestions': 'リソース',
  'mcp.resource-picker.empty': 'サーバーにはリソースがありません。',
  'mcp.resource-picker.no-match': '一致するリソースがありません。',
  'mcp.resource-picker.cut': str`検索対象はサーバーの最初のリソースのみです: ${0}`,
  'mcp.resource-picker.matches': str`一致するリソース: ${0}`,
  'mcp.resource-picker.active': str`${0}、${2} 件中 ${1} 件目`,
  'mcp.resource-picker.missing': 'リソースを 1 つ以上選んでください。',
  'mcp.resource-picker.automatic': '自動',
  'mcp.resource-picker.first-out': '自動・最初に除外',
  'mcp.resource-picker.chosen': '選択したリソース',
  'mcp.resource-picker.hidden': str`このほかに選択したリソース: ${0}`,
  'mcp.resource-picker.remove': str`${0} を削除`,
  'mcp.resource-picker.add-one': str`${0} を追加`,
  'mcp.resource-picker.tokens': str`約 ${0} トークン`,
  'mcp.resource-picker.budget': 'トークン',
  'mcp.resource-picker.over': str`約 ${0} トークン: 上限 ${1} を超えています`,
  'mcp.resource-picker.used': str`約 ${0} / ${1} トークン`,
  'mcp.resource-picker.left-out': str`除外されたリソース: ${0}`,
};
