import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.connection.none': '未接続',
  'mcp.connection.open': '接続済み',
  'mcp.connection.reconnecting': '再接続中',
  'mcp.connection.closed': '接続が終了しました',
  'mcp.connection.reconnect': 'もう一度接続',
  'mcp.connection.server': 'サーバー',
  'mcp.connection.nameless': '名前なし',
  'mcp.connection.protocol': 'プロトコル',
  'mcp.connection.capabilities': 'サーバーが提供するもの',
  'mcp.connection.nothing': 'なし',
  'mcp.connection.version': str`${0}、バージョン ${1}`,
  'mcp.connection.resources': 'リソース',
  'mcp.connection.read': '一覧表示と読み取りができます。',
  'mcp.connection.subscribe': 'リソースの変更が通知されます。',
  'mcp.connection.list-changed': '一覧の変更が通知されます。',
  'mcp.connection.tools': 'ツール',
  'mcp.connection.call': '呼び出せます。',
  'mcp.connection.prompts': 'プロンプト',
  'mcp.connection.fill': '入力して使えます。',
  'mcp.connection.completions': '入力補完',
  'mcp.connection.completes': '入力中に候補が表示されます。',
  'mcp.connection.logging': 'ログメッセージ',
  'mcp.connection.logs': 'サーバーが動作を報告します。',
  'mcp.connection.extensions': '拡張機能',
};
