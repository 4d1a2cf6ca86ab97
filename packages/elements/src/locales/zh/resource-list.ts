import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.resource-list.label': '资源',
  'mcp.resource-list.notes': '笔记',
  'mcp.resource-list.files': '文件',
  'mcp.resource-list.page': '关于此页面',
  'mcp.resource-list.other': '其他',
  'mcp.resource-list.nothing': '未找到任何内容。',
  'mcp.resource-list.empty': '还没有资源。',
  'mcp.resource-list.folder': '文件夹',
  'mcp.resource-list.just-now': '刚刚更新',
  'mcp.resource-list.unusable': str`无法显示的条目：${0}`,
  'mcp.resource-list.updated': str`${0} 已更新`,
};
