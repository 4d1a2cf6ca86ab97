import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.template-form.search': 'بحث',
  'mcp.template-form.no-match': 'لا توجد نتائج مطابقة.',
  'mcp.template-form.matches': str`النتائج المطابقة: ${0}`,
  'mcp.template-form.required': 'مطلوب',
  'mcp.template-form.suggestions': 'اقتراحات',
  'mcp.template-form.more': 'توجد قيم أخرى. واصل الكتابة للعثور عليها.',
  'mcp.template-form.list': 'قيمة واحدة في كل سطر',
  'mcp.template-form.empty': 'لا توجد قوالب موارد على الخادم.',
  'mcp.template-form.templates': 'قوالب الموارد',
  'mcp.template-form.needed': 'يلزم إدخال قيمة.',
  'mcp.template-form.address': 'العنوان',
  'mcp.template-form.open': 'فتح',
  'mcp.template-form.back': 'قوالب أخرى',
  'mcp.template-form.cut': 'لدى الخادم عناصر أكثر مما يمكن لهذه القائمة عرضه.',
};
