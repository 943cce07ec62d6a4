/** Title and description of a shipped job in the owner's language. Pure. Called where people read of one. */
import type { JobDeclaration } from '../../template/job.ts'
import { languageNow } from '../../wording/language.ts'

type Worded = Pick<JobDeclaration, 'title' | 'tells' | 'said'>

export function shippedWords({ title, tells, said }: Worded): Pick<JobDeclaration, 'title' | 'tells'> {
  return said?.[languageNow()] ?? { title, tells }
}

/** Every name by which it is meant, its titles in other languages with them. */
export function namesOf({
  title,
  names,
  said,
}: Pick<JobDeclaration, 'title' | 'names' | 'said'>): readonly string[] {
  const others = Object.values(said ?? {}).flatMap((one) => (one === undefined ? [] : [one.title]))
  return [title, ...others, ...names]
}
