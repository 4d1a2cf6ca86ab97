import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.template-form.search': '搜索',
  'mcp.template-form.no-match': '没有匹配项。',
  'mcp.template-form.matches': str`匹配项：${0}`,
  'mcp.template-form.required': '必填',
  'mcp.template-form.suggestions': '建议',
  'mcp.template-form.more': '还有更多值。继续输入以查找。',
  'mcp.template-form.list': '每行一个值',
  'mcp.template-form.empty': '服务器没有资源模板。',
  'mcp.template-form.templates': '资源模板',
  'mcp.template-form.needed': '请输入一个值。',
  'mcp.template-form.address': '地址',
  'mcp.template-form.open': '打开',
  'mcp.template-form.back': '其他模板',
  'mcp.template-form.cut': '服务器上的条目多于此列表可显示的数量。',
};
