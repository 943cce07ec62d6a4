/** What a shipped job is called and tells, in the owner's language; English where its file has no other. Called by what lists, names and proposes jobs. */
import type { JobDeclaration } from '../../template/job.ts'
import { languageNow } from '../../wording/language.ts'

export function jobTitle(job: JobDeclaration): string {
  return job.in?.[languageNow()]?.title ?? job.title
}

export function jobTells(job: JobDeclaration): string {
  return job.in?.[languageNow()]?.tells ?? job.tells
}

/** All names of a job, whichever language is spoken. */
export function jobNames({ title, names, in: others = {} }: JobDeclaration): readonly string[] {
  return [title, ...Object.values(others).map((one) => one.title), ...names]
}
