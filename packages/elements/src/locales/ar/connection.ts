import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.connection.none': 'غير متصل',
  'mcp.connection.open': 'متصل',
  'mcp.connection.reconnecting': 'تجري إعادة الاتصال',
  'mcp.connection.closed': 'انتهى الاتصال',
  'mcp.connection.reconnect': 'الاتصال مجددًا',
  'mcp.connection.server': 'الخادم',
  'mcp.connection.nameless': 'بلا اسم',
  'mcp.connection.protocol': 'البروتوكول',
  'mcp.connection.capabilities': 'ما يقدمه الخادم',
  'mcp.connection.nothing': 'لا شيء',
  'mcp.connection.version': str`${0}، الإصدار ${1}`,
  'mcp.connection.resources': 'الموارد',
  'mcp.connection.read': 'يمكن عرضها وقراءتها.',
  'mcp.connection.subscribe': 'يُبلَّغ عن تغييرات المورد.',
  'mcp.connection.list-changed': 'يُبلَّغ عن تغييرات القائمة.',
  'mcp.connection.tools': 'الأدوات',
  'mcp.connection.call': 'يمكن استدعاؤها.',
  'mcp.connection.prompts': 'الموجّهات',
  'mcp.connection.fill': 'يمكن ملؤها.',
  'mcp.connection.completions': 'الإكمال',
  'mcp.connection.completes': 'تُقترح القيم أثناء الكتابة.',
  'mcp.connection.logging': 'رسائل السجل',
  'mcp.connection.logs': 'يبلّغ الخادم عما يفعله.',
  'mcp.connection.extensions': 'الإضافات',
};
