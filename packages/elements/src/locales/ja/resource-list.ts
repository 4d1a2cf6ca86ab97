import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.resource-list.label': 'リソース',
  'mcp.resource-list.notes': 'ノート',
  'mcp.resource-list.files': 'ファイル',
  'mcp.resource-list.page': 'このページについて',
  'mcp.resource-list.other': 'その他',
  'mcp.resource-list.nothing': '見つかりませんでした。',
  'mcp.resource-list.empty': 'リソースはまだありません。',
  'mcp.resource-list.folder': 'フォルダー',
  'mcp.resource-list.just-now': 'たった今更新',
  'mcp.resource-list.unusable': str`表示できない項目: ${0}`,
  'mcp.resource-list.updated': str`${0} が更新されました`,
};
