import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.prompt-menu.label': 'الموجّهات',
  'mcp.prompt-menu.empty': 'لا توجد موجّهات على الخادم.',
  'mcp.prompt-menu.back': 'موجّهات أخرى',
  'mcp.prompt-menu.use': 'استخدام الموجّه',
  'mcp.prompt-menu.show': 'معاينة',
  'mcp.prompt-menu.preview': 'ما يتلقاه النموذج',
  'mcp.prompt-menu.messages': str`ما يتلقاه النموذج. الرسائل: ${0}`,
  'mcp.prompt-menu.hidden': str`الرسائل غير المعروضة: ${0}`,
  'mcp.prompt-menu.unusable': str`الرسائل التي يتعذر عرضها: ${0}`,
  'mcp.prompt-menu.user': 'المستخدم',
  'mcp.prompt-menu.assistant': 'المساعد',
  'mcp.prompt-menu.more': 'عرض المزيد',
  'mcp.prompt-menu.broken': 'يتعذر عرض هذه الصورة.',
  'mcp.prompt-menu.image': 'صورة',
};
