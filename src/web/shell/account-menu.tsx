import { Menu } from '@base-ui/react/menu'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronsUpDown, LogOut } from 'lucide-react'
import { call } from '../api/call.ts'
import { deletionsOf } from '../pages/library/deletion-queue.ts'
import { uiMessages } from '../ui/messages.ts'
import { useToast } from '../ui/toasts.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { useViewer } from './use-session.ts'

/** The person signed in, their accounts, theme, language and signing out. */
export function AccountMenu() {
  const { person, account, accounts } = useViewer()
  const queries = useQueryClient()
  const toast = useToast()
  const outcome = {
    // All other queries depend on the session.
    onSuccess: () => queries.invalidateQueries({ queryKey: ['session'] }),
    onError: ({ message }: Error) => toast(uiMessages.failed, message),
  }
  // Pending deletions would be refused after signing out, so they are sent first; failed ones are shown and can be
  // retried.
  const leave = async (go: () => Promise<unknown>) => {
    if (await deletionsOf(account.id).sendNow()) await go()
  }
  const signOut = useMutation({ mutationFn: () => leave(() => call('DELETE /session')), ...outcome })
  const change = useMutation({
    mutationFn: (id: string) => leave(() => call('PUT /session/account', { body: { account_id: id } })),
    ...outcome,
  })
  const item =
    'flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-raised'
  return (
    <div className="border-line mt-6 flex flex-col gap-3 border-t pt-3">
      <div className="flex items-center justify-between gap-2">
        <ThemeChoice />
        <LanguageChoice />
      </div>
      <Menu.Root>
        <Menu.Trigger className="hover:bg-raised flex w-full items-center gap-2.5 rounded-lg px-2.5 py-2 text-left">
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">{person.name}</span>
            <span className="text-soft block truncate text-xs">{account.name}</span>
          </span>
          <ChevronsUpDown className="text-soft size-4" aria-hidden />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner side="top" sideOffset={6} align="start">
            <Menu.Popup className="bg-sheet border-line min-w-56 rounded-xl border p-1.5 shadow-xl outline-none">
              {accounts.length > 1 &&
                accounts.map(({ id, name }) => (
                  <Menu.Item key={id} className={item} onClick={() => id !== account.id && change.mutate(id)}>
                    <Check className={id === account.id ? 'size-4' : 'invisible size-4'} aria-hidden />
                    <span className="truncate">{name}</span>
                  </Menu.Item>
                ))}
              <Menu.Item className={item} onClick={() => signOut.mutate()}>
                <LogOut className="size-4" aria-hidden />
                {uiMessages.signOut}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  )
}
