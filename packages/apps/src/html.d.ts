/** A file that the bundler turns into a text. */
declare module '*.html' {
  const html: string;
  export default html;
}
