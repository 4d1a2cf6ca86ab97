import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.renderers.partial': 'このリソースは最初の部分だけを表示しています。',
  'mcp.renderers.code': 'コード',
  'mcp.renderers.not-json': str`有効な JSON ではありません：${0} 行 ${1} 列を確認してください。`,
  'mcp.renderers.copy-path': 'パスをコピー',
  'mcp.renderers.copy-value': '値をコピー',
  'mcp.renderers.expand-all': 'すべて展開',
  'mcp.renderers.collapse-all': 'すべて折りたたむ',
  'mcp.renderers.copied': 'コピーしました',
  'mcp.renderers.not-copied': 'ブラウザーがコピーを許可していません。',
  'mcp.renderers.too-many-rows': '開いている項目が多すぎるため、末尾の項目は表示されません。',
  'mcp.renderers.table': '表',
  'mcp.renderers.columns': str`全 ${2} 列中 ${0}～${1} 列`,
  'mcp.renderers.previous-columns': '前の列',
  'mcp.renderers.next-columns': '次の列',
  'mcp.renderers.no-rows': 'この表には行がありません。',
  'mcp.renderers.bytes': 'バイト列',
  'mcp.renderers.previous-part': '前の部分',
  'mcp.renderers.next-part': '次の部分',
  'mcp.renderers.go-to-offset': 'オフセットへ移動',
  'mcp.renderers.bad-offset': str`${0} より小さい 16 進数を入力してください。`,
  'mcp.renderers.copy-rows': '表示中の行をコピー',
  'mcp.renderers.sandbox':
    'サンドボックス：スクリプトは実行されず、外部からの読み込みはなく、リンクは機能しません。',
  'mcp.renderers.only-source': 'この文書はここでは安全に表示できません。以下はそのソースです。',
  'mcp.renderers.source': 'ソース',
  'mcp.renderers.slow-document':
    'この文書の描画には時間がかかることがあります。描画が終わるまで、ページが反応しない場合があります。',
  'mcp.renderers.show-anyway': 'それでも表示',
  'mcp.renderers.not-playable': 'ブラウザーで再生できません。',
  'mcp.renderers.not-pdf': 'PDF ではありません。',
  'mcp.renderers.no-viewer': 'このブラウザーは PDF を表示できません。',
  'mcp.renderers.download': 'ダウンロード',
};
