// Before anything is drawn, so that the page does not flash in the other theme.
const chosen = localStorage.getItem('recalld-theme')
if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen
