import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.resource-picker.label': '提供给模型的资源',
  'mcp.resource-picker.add': '添加资源…',
  'mcp.resource-picker.suggestions': '资源',
  'mcp.resource-picker.empty': '服务器没有资源。',
  'mcp.resource-picker.no-match': '没有匹配的资源。',
  'mcp.resource-picker.cut': str`仅搜索服务器的前若干个资源：${0}`,
  'mcp.resource-picker.matches': str`匹配的资源：${0}`,
  'mcp.resource-picker.active': str`${0}，第 ${1} 项，共 ${2} 项`,
  'mcp.resource-picker.missing': '请至少选择一个资源。',
  'mcp.resource-picker.automatic': '自动',
  'mcp.resource-picker.first-out': '自动，最先舍弃',
  'mcp.resource-picker.chosen': '已选资源',
  'mcp.resource-picker.hidden': str`其他已选资源：${0}`,
  'mcp.resource-picker.remove': str`移除 ${0}`,
  'mcp.resource-picker.add-one': str`添加 ${0}`,
  'mcp.resource-picker.tokens': str`约 ${0} 个词元`,
  'mcp.resource-picker.budget': '词元',
  'mcp.resource-picker.over': str`约 ${0} 个词元：超过上限 ${1}`,
  'mcp.resource-picker.used': str`约 ${0} / ${1} 个词元`,
  'mcp.resource-picker.left-out': str`未纳入的资源：${0}`,
};
