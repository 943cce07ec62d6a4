/** Settings of the owner at this place, by name (DESIGN §9). Must not know what they mean. Called by createStore. */
import { eq, sql } from 'drizzle-orm'
import type { SettingStore } from '../../kernel/features/quiet/port.ts'
import { once } from '../../kernel/flow/once.ts'
import type { StoreContext } from './database.ts'
import { ownerSettings } from './reminder-schema.ts'

export function createSettingStore({ db }: StoreContext): SettingStore {
  const named = once(() =>
    db
      .select()
      .from(ownerSettings)
      .where(eq(ownerSettings.name, sql.placeholder('name')))
      .prepare(),
  )
  return {
    setting: (name) => named().get({ name })?.value ?? null,
    saveSetting(name, value) {
      if (value === null) db.delete(ownerSettings).where(eq(ownerSettings.name, name)).run()
      else
        db.insert(ownerSettings)
          .values({ name, value })
          .onConflictDoUpdate({ target: ownerSettings.name, set: { value } })
          .run()
    },
  }
}
