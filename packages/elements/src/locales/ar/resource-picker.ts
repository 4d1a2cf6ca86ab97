import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.resource-picker.label': 'موارد للنموذج',
  'mcp.resource-picker.add': 'إضافة مورد…',
  'mcp.resource-picker.suggestions': 'الموارد',
  'mcp.resource-picker.empty': 'لا توجد موارد على الخادم.',
  'mcp.resource-picker.no-match': 'لا يوجد مورد مطابق.',
  'mcp.resource-picker.cut': str`يقتصر البحث على أول موارد الخادم: ${0}`,
  'mcp.resource-picker.matches': str`الموارد المطابقة: ${0}`,
  'mcp.resource-picker.active': str`${0}، ${1} من ${2}`,
  'mcp.resource-picker.missing': 'اختر موردًا واحدًا على الأقل.',
  'mcp.resource-picker.automatic': 'تلقائي',
  'mcp.resource-picker.first-out': 'تلقائي، يُستبعد أولًا',
  'mcp.resource-picker.chosen': 'الموارد المختارة',
  'mcp.resource-picker.hidden': str`موارد مختارة أخرى: ${0}`,
  'mcp.resource-picker.remove': str`إزالة ${0}`,
  'mcp.resource-picker.add-one': str`إضافة ${0}`,
  'mcp.resource-picker.tokens': str`الرموز: ≈ ${0}`,
  'mcp.resource-picker.budget': 'الرموز',
  'mcp.resource-picker.over': str`الرموز: ≈ ${0}، أكثر من الحد ${1}`,
  'mcp.resource-picker.used': str`الرموز: ≈ ${0} من ${1}`,
  'mcp.resource-picker.left-out': str`الموارد المستبعدة: ${0}`,
};
