/** Corrections to the platform's published types: text files in the bundle, and a looser `clearTimeout`. Types only. */
declare module '*.md' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: this is how the platform hands a text over
  export default text
}
/** `clearTimeout(undefined)` is allowed on every other platform, and shared adapters call it. */
declare function clearTimeout(timer: number | undefined): void
