import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.drop.hint': 'أفلت الملفات هنا أو ألصقها.',
  'mcp.drop.choose': 'اختر ملفات',
  'mcp.drop.choose-folder': 'اختر مجلدًا',
  'mcp.drop.saved-one': str`حُفظ: ${0}`,
  'mcp.drop.saved': str`الملفات المحفوظة: ${0}`,
  'mcp.drop.skipped': str`تم تخطيها: ${0}`,
  'mcp.drop.failed': str`فشلت: ${0}`,
  'mcp.drop.cancelled': str`أُلغيت: ${0}`,
  'mcp.drop.cancel': 'إلغاء',
  'mcp.drop.saving': 'جارٍ حفظ الملفات',
  'mcp.drop.progress': str`جارٍ الحفظ: ${0} من ${1}`,
  'mcp.drop.conflict': str`ملفات موجودة بالفعل: ${0}`,
  'mcp.drop.keep-both': 'احتفظ بالاثنين',
  'mcp.drop.replace': 'استبدل',
  'mcp.drop.skip': 'تخطَّ',
  'mcp.drop.dismiss': 'إغلاق',
  'mcp.drop.not-shown': str`غير معروضة: ${0}`,
  'mcp.drop.unsupported': 'لا يستقبل هذا الخادم ملفات.',
  'mcp.drop.closed': 'انتهى الاتصال. لا يمكن إضافة ملفات أخرى.',
};
