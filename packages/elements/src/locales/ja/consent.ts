import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.consent.allow': 'これを許可しますか？',
  'mcp.consent.always': '常に許可',
  'mcp.consent.calls-itself': '自称',
  'mcp.consent.decline-all': 'すべて拒否',
  'mcp.consent.details': '情報の入力を求められています',
  'mcp.consent.do-not-send': '送信しない',
  'mcp.consent.lasting': '「常に許可」と「常に拒否」は、同じ相手からのすべての質問に適用されます。',
  'mcp.consent.lasting-tool': str`「常に許可」と「常に拒否」は、同じ相手による ${0} のすべての使用に適用されます。`,
  'mcp.consent.look-alike': 'このアドレスには、ほかの文字と見分けにくい文字が含まれています。',
  'mcp.consent.more': str`残りの質問: ${0}`,
  'mcp.consent.never': '常に拒否',
  'mcp.consent.no': 'いいえ',
  'mcp.consent.no-origin': 'ブラウザーがアドレスを隠しているフレーム',
  'mcp.consent.not-whole': '同意する前に、全文を表示してください。',
  'mcp.consent.question': '質問',
  'mcp.consent.secrets': 'パスワードなどの秘密の情報は入力しないでください。',
  'mcp.consent.send': '送信',
  'mcp.consent.this-page': 'このページ',
  'mcp.consent.title': '質問があります',
  'mcp.consent.tool': 'ツール',
  'mcp.consent.values': '値',
  'mcp.consent.who': '相手',
  'mcp.consent.yes': 'はい',
  'mcp.consent.yes-once': '今回だけ許可',
};
