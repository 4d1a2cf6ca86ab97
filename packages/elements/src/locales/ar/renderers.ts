import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.renderers.partial': 'يُعرض الجزء الأول فقط من هذا المورد.',
  'mcp.renderers.code': 'شيفرة',
  'mcp.renderers.not-json': str`هذا ليس JSON صالحًا: راجع السطر ${0}، العمود ${1}.`,
  'mcp.renderers.copy-path': 'نسخ المسار',
  'mcp.renderers.copy-value': 'نسخ القيمة',
  'mcp.renderers.expand-all': 'توسيع الكل',
  'mcp.renderers.collapse-all': 'طي الكل',
  'mcp.renderers.copied': 'تم النسخ',
  'mcp.renderers.not-copied': 'المتصفح لا يسمح بالنسخ.',
  'mcp.renderers.too-many-rows': 'العناصر المفتوحة كثيرة جدًا، لذا لا تُعرض الأخيرة منها.',
  'mcp.renderers.table': 'جدول',
  'mcp.renderers.columns': str`الأعمدة من ${0} إلى ${1} من أصل ${2}`,
  'mcp.renderers.previous-columns': 'الأعمدة السابقة',
  'mcp.renderers.next-columns': 'الأعمدة التالية',
  'mcp.renderers.no-rows': 'لا يحتوي هذا الجدول على صفوف.',
  'mcp.renderers.bytes': 'البايتات',
  'mcp.renderers.previous-part': 'الجزء السابق',
  'mcp.renderers.next-part': 'الجزء التالي',
  'mcp.renderers.go-to-offset': 'الانتقال إلى الإزاحة',
  'mcp.renderers.bad-offset': str`اكتب عددًا ست عشريًا أصغر من ${0}.`,
  'mcp.renderers.copy-rows': 'نسخ الصفوف الظاهرة',
  'mcp.renderers.sandbox':
    'بيئة معزولة: لا تعمل فيها البرامج النصية، ولا يُحمَّل شيء من الخارج، ولا تعمل الروابط.',
  'mcp.renderers.only-source': 'لا يمكن عرض هذا المستند هنا بأمان. هذا مصدره.',
  'mcp.renderers.source': 'المصدر',
  'mcp.renderers.slow-document':
    'قد يستغرق رسم هذا المستند وقتًا طويلًا. وقد لا تستجيب الصفحة حتى ينتهي.',
  'mcp.renderers.show-anyway': 'العرض على أي حال',
  'mcp.renderers.not-playable': 'لا يمكن للمتصفح تشغيل هذا.',
  'mcp.renderers.not-pdf': 'هذا ليس ملف PDF.',
  'mcp.renderers.no-viewer': 'هذا المتصفح لا يعرض ملفات PDF.',
  'mcp.renderers.download': 'تنزيل',
};
