import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.resource-list.label': 'الموارد',
  'mcp.resource-list.notes': 'الملاحظات',
  'mcp.resource-list.files': 'الملفات',
  'mcp.resource-list.page': 'حول هذه الصفحة',
  'mcp.resource-list.other': 'أخرى',
  'mcp.resource-list.nothing': 'لم يُعثر على شيء.',
  'mcp.resource-list.empty': 'لا توجد موارد بعد.',
  'mcp.resource-list.folder': 'مجلد',
  'mcp.resource-list.just-now': 'حُدِّث الآن',
  'mcp.resource-list.unusable': str`إدخالات لا يمكن عرضها: ${0}`,
  'mcp.resource-list.updated': str`تم تحديث ${0}`,
};
