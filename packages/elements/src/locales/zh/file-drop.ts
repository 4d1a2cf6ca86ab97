import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.drop.hint': '将文件拖放到此处，或粘贴。',
  'mcp.drop.choose': '选择文件',
  'mcp.drop.choose-folder': '选择文件夹',
  'mcp.drop.saved-one': str`已保存：${0}`,
  'mcp.drop.saved': str`已保存的文件：${0}`,
  'mcp.drop.skipped': str`已跳过：${0}`,
  'mcp.drop.failed': str`失败：${0}`,
  'mcp.drop.cancelled': str`已取消：${0}`,
  'mcp.drop.cancel': '取消',
  'mcp.drop.saving': '正在保存文件',
  'mcp.drop.progress': str`正在保存：${0} / ${1}`,
  'mcp.drop.conflict': str`已存在的文件：${0}`,
  'mcp.drop.keep-both': '两者都保留',
  'mcp.drop.replace': '替换',
  'mcp.drop.skip': '跳过',
  'mcp.drop.dismiss': '关闭',
  'mcp.drop.not-shown': str`未显示：${0}`,
  'mcp.drop.unsupported': '此服务器不接收文件。',
  'mcp.drop.closed': '连接已结束。无法再添加文件。',
};
