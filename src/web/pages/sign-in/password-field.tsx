import { TextField, type TextFieldProps } from '../../ui/field.tsx'
import { messages } from './messages.ts'

/** As the service has it. */
const LEAST_CHARACTERS = 10

/** A password that is chosen now. */
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
