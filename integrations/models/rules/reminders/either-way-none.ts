/** The edge says both readings and offers no choice: it asks for no job of the owner's words. Bundled there in place of either-way.ts (`#either-way`). */

export function eitherReminder(..._asked: readonly unknown[]): null {
  return null
}

export function eitherJob(..._asked: readonly unknown[]): null {
  return null
}
