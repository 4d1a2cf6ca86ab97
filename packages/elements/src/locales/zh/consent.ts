import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.consent.allow': '您允许这样做吗？',
  'mcp.consent.always': '始终允许',
  'mcp.consent.calls-itself': '自称',
  'mcp.consent.decline-all': '全部拒绝',
  'mcp.consent.details': '请您提供一些信息',
  'mcp.consent.do-not-send': '不发送',
  'mcp.consent.lasting': '“始终允许”和“始终拒绝”适用于同一方的所有提问。',
  'mcp.consent.lasting-tool': str`“始终允许”和“始终拒绝”适用于同一方对 ${0} 的每次使用。`,
  'mcp.consent.look-alike': '此地址包含容易与其他字母混淆的字母。',
  'mcp.consent.more': str`其他问题：${0}`,
  'mcp.consent.never': '始终拒绝',
  'mcp.consent.no': '否',
  'mcp.consent.no-origin': '浏览器隐藏了其地址的框架',
  'mcp.consent.not-whole': '同意之前，请先显示全文。',
  'mcp.consent.question': '问题',
  'mcp.consent.secrets': '请勿在此输入密码或其他机密信息。',
  'mcp.consent.send': '发送',
  'mcp.consent.this-page': '本页面',
  'mcp.consent.title': '有一个问题需要您回答',
  'mcp.consent.tool': '工具',
  'mcp.consent.values': '值',
  'mcp.consent.who': '提问方',
  'mcp.consent.yes': '是',
  'mcp.consent.yes-once': '仅此一次',
};
