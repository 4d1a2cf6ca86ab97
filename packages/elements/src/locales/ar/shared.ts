import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.retry': 'إعادة المحاولة',
  'mcp.details': 'التفاصيل',
  'mcp.loading': 'جارٍ التحميل',
  'mcp.unknown-error': 'حدث خطأ ما.',
  'mcp.not-connected': 'لا يوجد خادم متصل.',
  'mcp.reconnecting': 'تجري إعادة الاتصال. قد لا يكون المعروض محدَّثًا.',
  'mcp.closed': 'انتهى الاتصال. لن يُحدَّث المعروض بعد الآن.',
  'mcp.author.tab': 'علامة تبويب أخرى',
  'mcp.author.frame': 'إطار',
  'mcp.author.tool': 'أداة',
};
