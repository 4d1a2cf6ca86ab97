import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.retry': '重试',
  'mcp.details': '详细信息',
  'mcp.loading': '正在加载',
  'mcp.unknown-error': '出了点问题。',
  'mcp.not-connected': '未连接到服务器。',
  'mcp.reconnecting': '正在重新连接。显示的内容可能不是最新的。',
  'mcp.closed': '连接已结束。显示的内容不再更新。',
  'mcp.author.tab': '另一个标签页',
  'mcp.author.frame': '框架',
  'mcp.author.tool': '工具',
};
