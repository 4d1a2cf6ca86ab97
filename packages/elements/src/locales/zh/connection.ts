import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.connection.none': '未连接',
  'mcp.connection.open': '已连接',
  'mcp.connection.reconnecting': '正在重新连接',
  'mcp.connection.closed': '连接已结束',
  'mcp.connection.reconnect': '重新连接',
  'mcp.connection.server': '服务器',
  'mcp.connection.nameless': '未命名',
  'mcp.connection.protocol': '协议',
  'mcp.connection.capabilities': '服务器提供的功能',
  'mcp.connection.nothing': '无',
  'mcp.connection.version': str`${0}，版本 ${1}`,
  'mcp.connection.resources': '资源',
  'mcp.connection.read': '可以列出和读取。',
  'mcp.connection.subscribe': '会通知资源的更改。',
  'mcp.connection.list-changed': '会通知列表的更改。',
  'mcp.connection.tools': '工具',
  'mcp.connection.call': '可以调用。',
  'mcp.connection.prompts': '提示',
  'mcp.connection.fill': '可以填写。',
  'mcp.connection.completions': '补全',
  'mcp.connection.completes': '输入时会给出建议。',
  'mcp.connection.logging': '日志消息',
  'mcp.connection.logs': '服务器会报告其操作。',
  'mcp.connection.extensions': '扩展',
};
