import { TextField, type TextFieldProps } from '../../ui/field.tsx'
import { messages } from './messages.ts'

/** The same minimum as in the service. */
const LEAST_CHARACTERS = 10

/** A field for a new password. */
export function PasswordField(props: Pick<TextFieldProps, 'label' | 'value' | 'onValue' | 'autoFocus'>) {
  return (
    <TextField
      {...props}
      about={messages.passwordAbout(LEAST_CHARACTERS)}
      type="password"
      autoComplete="new-password"
      minLength={LEAST_CHARACTERS}
      maxLength={256}
      required
    />
  )
}
