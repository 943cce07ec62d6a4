/** What the platform's published types leave out: text files in the bundle, and a looser `clearTimeout`. Types only. */
declare module '*.toml' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: this is how the platform hands a text over
  export default text
}
declare module '*.md' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: this is how the platform hands a text over
  export default text
}
/** Clearing no timer is allowed everywhere else, and shared adapters do it. */
declare function clearTimeout(timer: number | undefined): void
