import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.editor.choose': '选择一个笔记来编辑。',
  'mcp.editor.title': '标题',
  'mcp.editor.text': '正文（Markdown）',
  'mcp.editor.hint': '用 Markdown 书写',
  'mcp.editor.mine': '你的版本',
  'mcp.editor.theirs': '对方的版本',
  'mcp.editor.saving': '正在保存',
  'mcp.editor.unsaved': '尚未保存',
  'mcp.editor.saved': '已保存',
  'mcp.editor.conflict': '你正在输入时，有人更改了此笔记。',
  'mcp.editor.keep-both': '两者都保留',
  'mcp.editor.keep-mine': '保留我的版本',
  'mcp.editor.take-theirs': '采用对方的版本',
  'mcp.editor.deleted': '你正在输入时，此笔记被删除。你的文字只在这里。',
  'mcp.editor.save-new': '另存为新笔记',
  'mcp.editor.failed': '无法保存你的文字。',
  'mcp.editor.my-version': str`${0}（我的版本）`,
  'mcp.editor.costly': '在文本框中显示此正文需要很长时间。显示之前，页面可能没有响应。',
  'mcp.editor.edit-anyway': '仍然编辑',
  'mcp.editor.unsupported': '此服务器没有可以编辑的笔记。',
  'mcp.editor.readonly': '服务器不允许更改此笔记。',
};
