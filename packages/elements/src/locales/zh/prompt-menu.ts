import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.prompt-menu.label': '提示词',
  'mcp.prompt-menu.empty': '服务器没有提示词。',
  'mcp.prompt-menu.back': '其他提示词',
  'mcp.prompt-menu.use': '使用提示词',
  'mcp.prompt-menu.show': '预览',
  'mcp.prompt-menu.preview': '模型收到的内容',
  'mcp.prompt-menu.messages': str`模型收到的内容。消息：${0}`,
  'mcp.prompt-menu.hidden': str`未显示的消息：${0}`,
  'mcp.prompt-menu.unusable': str`无法显示的消息：${0}`,
  'mcp.prompt-menu.user': '用户',
  'mcp.prompt-menu.assistant': '助手',
  'mcp.prompt-menu.more': '显示更多',
  'mcp.prompt-menu.broken': '无法显示此图像。',
  'mcp.prompt-menu.image': '图像',
};
