/**
 * Translates wishes about jobs ("I'd rather have the briefing at 7", "I don't need the briefing any more")
 * into the form that the job rules read. Leaves any other text unchanged. Pure. Called by job-german.ts.
 */
const NAME =
  "(?:(?:the|my|that|any) )?(?<name>(?:[\\p{L}\\d'-]+ ){0,3}?[\\p{L}\\d-]*(?:briefing|digest|review|summary|overview|recap|checks?|forecast|routine))"
const I = "i(?:['’]?d| would)? (?:rather|prefer|like|want)(?: to)?(?: (?:have|get|see))?"
const NO_MORE = new RegExp(
  `^(?:i (?:don['’]?t|do not) (?:need|want) ${NAME} (?:any ?more|any longer)|i no longer (?:need|want) ${NAME.replace('name', 'name2')})$`,
  'iu',
)
const RATHER = new RegExp(
  `^i(?:['’]?d| would) (?:rather|prefer)(?: to)?(?: (?:have|get|see))? ${NAME} at (?<when>\\S.*)$`,
  'iu',
)
const INTO = new RegExp(
  `^${I} ${NAME} (?:(?:in|on|via|by) (?<into>[\\p{L}][\\p{L}\\d ]{1,30}?) (?:from now on|instead)|from now on (?:in|on|via|by) (?<into2>[\\p{L}][\\p{L}\\d ]{1,30}))$`,
  'iu',
)

export function jobAsWished(text: string): string {
  const over = NO_MORE.exec(text)?.groups
  if (over !== undefined) return `stop the ${over['name'] ?? over['name2'] ?? ''}`
  const { name = '', into, into2, when } = (INTO.exec(text) ?? RATHER.exec(text))?.groups ?? {}
  if (name === '') return text
  return when === undefined
    ? `send the ${name} to ${into ?? into2 ?? ''} instead`
    : `make the ${name} at ${when}`
}
