/* C that is no C++. */
int words(void);

int words(void)
{
    int class = 42;
    return class;
}
